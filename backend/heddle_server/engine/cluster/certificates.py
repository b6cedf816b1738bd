"""Certificates for the machines of one Heddle: its own authority, and a folder for each machine."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from heddle_server.engine.cluster.cluster_security import AUTHORITY, CERTIFICATE, KEY

AUTHORITY_KEY = "authority-key.pem"
MACHINE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")
AUTHORITY_DAYS = 3650
MACHINE_DAYS = 825


def make_certificates(folder: Path, machines: list[str]) -> list[Path]:
    """A folder with authority, certificate and key for each machine; the authority is made by the first call.

    Raises ValueError for a name that cannot be a folder's, FileExistsError for a machine that has one.
    """
    for machine in machines:
        if MACHINE.fullmatch(machine) is None:
            raise ValueError(f"a machine's name has letters, digits, dots and dashes, found {machine!r}")
        if (folder / machine).exists():
            raise FileExistsError(f"{folder / machine} already exists; remove it to make a new certificate")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    authority, authority_key = ensure_authority(folder)
    return [make_machine(folder / machine, machine, authority, authority_key) for machine in machines]


def ensure_authority(folder: Path) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    certificate_file, key_file = folder / AUTHORITY, folder / AUTHORITY_KEY
    if not certificate_file.exists():
        key = ec.generate_private_key(ec.SECP256R1())
        name = common_name("Heddle cluster authority")
        builder = start_certificate(name, name, key, AUTHORITY_DAYS)
        builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        write_key(key_file, key)
        certificate_file.write_bytes(pem(builder.sign(key, hashes.SHA256())))
    loaded = serialization.load_pem_private_key(key_file.read_bytes(), password=None)
    assert isinstance(loaded, ec.EllipticCurvePrivateKey)
    return x509.load_pem_x509_certificate(certificate_file.read_bytes()), loaded


def make_machine(
    folder: Path, machine: str, authority: x509.Certificate, authority_key: ec.EllipticCurvePrivateKey
) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    builder = start_certificate(common_name(machine), authority.subject, key, MACHINE_DAYS)
    # Every machine both calls and is called.
    both = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH])
    builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    builder = builder.add_extension(both, critical=False)
    folder.mkdir(mode=0o700)
    (folder / AUTHORITY).write_bytes(pem(authority))
    (folder / CERTIFICATE).write_bytes(pem(builder.sign(authority_key, hashes.SHA256())))
    write_key(folder / KEY, key)
    return folder


def start_certificate(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, days: int
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))  # Clocks of machines differ.
        .not_valid_after(now + timedelta(days=days))
    )


def common_name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def write_key(path: Path, key: ec.EllipticCurvePrivateKey) -> None:
    text = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(text)
