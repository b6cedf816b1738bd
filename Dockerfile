# syntax=docker/dockerfile:1
#
#   docker build --tag heddle . && docker run --rm --publish 8000:8000 --volume heddle-data:/data heddle
#
# The kernels of a run are compiled in the container, so the image keeps a C compiler. Before a release,
# `python -m tools.image_digests` writes the digest of each image behind its tag.

FROM node:22-bookworm-slim AS page
WORKDIR /page/frontend
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN npm ci --no-audit --no-fund
COPY frontend/ ./
COPY docs/ ../docs/
RUN npm run build

FROM python:3.11-slim-bookworm AS packages
COPY requirements/runtime.txt requirements/devices.txt /tmp/
RUN python -m venv /opt/venv \
    && /opt/venv/bin/pip install --no-cache-dir --require-hashes \
        --requirement /tmp/runtime.txt --requirement /tmp/devices.txt

FROM python:3.11-slim-bookworm
LABEL org.opencontainers.image.title="Heddle" \
      org.opencontainers.image.description="An interactive scheduling explorer for sparse tensor algebra" \
      org.opencontainers.image.licenses="MIT"
# Debian keeps only the newest version of a package, so pinning one would break the build.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --system --gid 10001 heddle \
    && useradd --system --uid 10001 --gid 10001 --home-dir /data --shell /usr/sbin/nologin heddle \
    && install --directory --owner heddle --group heddle /data
COPY --from=packages /opt/venv /opt/venv
WORKDIR /srv/heddle
COPY LICENSE pyproject.toml ./
COPY compiler/ compiler/
COPY backend/ backend/
COPY lessons/ lessons/
COPY kernels_cache/ kernels_cache/
COPY --from=page /page/frontend/dist/ frontend/dist/
# Nobody may write here later, and a start that translates its modules takes three times as long.
RUN /opt/venv/bin/python -m compileall -q --invalidation-mode unchecked-hash compiler backend
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONPATH=/srv/heddle/compiler:/srv/heddle/backend \
    PYTHONUNBUFFERED=1 \
    HEDDLE_DATA_DIRECTORY=/data \
    HEDDLE_CACHE=/data/kernels
USER 10001:10001
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
STOPSIGNAL SIGTERM
CMD ["python", "-m", "heddle_server.cli", "serve", "--host", "0.0.0.0", "--port", "8000"]
