"""Protections of the service to take away, each of which a test must notice (tests/backend/attacks.md says which)."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

BACKEND = "tests/backend"
PRIVACY = (f"{BACKEND}/protection/test_privacy.py",)
SANDBOX = (f"{BACKEND}/engine/confinement/test_sandbox.py",)
CONNECTIONS = f"{BACKEND}/protection/test_connection_limits.py"
OUT_OF_BOUNDS = (f"{CONNECTIONS}::test_a_request_that_is_out_of_bounds_is_refused_by_name",)
GUARDS = (f"{BACKEND}/http/test_guards.py",)
VISITORS = (f"{BACKEND}/http/test_visitors.py",)
OWNERSHIP = f"{BACKEND}/protection/test_ownership.py"
CHILD_LINES = (f"{BACKEND}/engine/test_child_lines.py",)
READINGS = (f"{BACKEND}/datasets/test_readings.py",)
UNPACKING = (f"{BACKEND}/protection/test_unpacking.py",)
TURNS = (f"{BACKEND}/engine/timing/test_turns.py",)
BACKUP = (f"{BACKEND}/command_line/test_backup.py",)
ERRORS = (f"{BACKEND}/http/test_database_errors.py",)
STARTS = (f"{BACKEND}/lifetime/test_start_failures.py::test_a_directory_that_cannot_be_used[garbage]",)
CALLS = (f"{BACKEND}/engine/confinement/test_system_calls.py",)
CACHE = "tests/compiler/runtime/native/test_cache.py"
SEALS = (f"{CACHE}::test_an_entry_that_somebody_made_without_the_secret_is_not_loaded",)
READERS = ("tests/compiler/runtime/data_files/test_readers.py",)
RUN_CACHE = (f"{BACKEND}/engine/test_run_cache.py",)
PRIVATE_CACHE = (f"{BACKEND}/engine/test_private_cache.py",)
SURVEY = "tests/compiler/explorer/views/test_survey.py"
TNS = ("tests/compiler/runtime/data_files/test_tns.py",)

PROTECTIONS = (
    Mutation(
        "the embedded scheduler speaks to everybody",
        """\
                security = await asyncio.to_thread(ephemeral_security)
                self._cluster = PagelessCluster(
                    n_workers=1,
                    processes=True,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    protocol="tls",
""",
        """\
                security = None
                self._cluster = PagelessCluster(
                    n_workers=1,
                    processes=True,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    protocol="tcp",
""",
        (f"{BACKEND}/engine/confinement/test_embedded_protection.py::test_nobody_else_runs_code_in_the_server",),
    ),
    Mutation(
        "one handler of the log is shared with Dask",
        "logger.handlers, logger.propagate = [handler], False",
        'logger.handlers, logger.propagate = (logging.getLogger("heddle").handlers or [handler])[:1], False',
        (f"{BACKEND}/lifetime/test_logs.py",),
    ),
    Mutation(
        "cancellations are not audited",
        'WRITING_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})',
        'WRITING_METHODS = frozenset({"POST", "PUT", "PATCH"})',
        (f"{BACKEND}/http/test_audit.py",),
    ),
    Mutation(
        "ids that nobody signed are believed",
        "return identity if age < DAYS * 86_400 else None",
        "return identity",
        VISITORS,
    ),
    Mutation(
        "a signature is not looked at",
        'if not hmac.compare_digest(signature.encode(), self.signature("visitor", identity).encode()):',
        "if not signature:",
        VISITORS,
    ),
    Mutation(
        "whoever has the id of a run cancels it",
        "if not self.is_operator and (owner == NOBODY or self.browser != owner):",
        "if not self.is_operator and owner == NOBODY:",
        (f"{OWNERSHIP}::test_a_run_is_cancelled_by_who_asked_for_it_and_by_nobody_else",),
    ),
    Mutation(
        "one of those who wait ends a download for all",
        "if canceller.is_operator or not download.waiting:",
        "if canceller.is_operator or browser:",
        (f"{BACKEND}/datasets/test_downloads.py::test_the_last_of_those_who_wait_ends_a_shared_download",),
    ),
    Mutation(
        "a page of another site sends what needs no question",
        "return method in PREFLIGHTED_METHODS or content_type == PREFLIGHTED_TYPE",
        "return True",
        GUARDS,
    ),
    Mutation(
        "networks have no ceiling",
        '("network", network_of(visitor.address), NETWORK_FACTOR * quota.of_address),',
        "",
        GUARDS,
    ),
    Mutation(
        "clients may say where they come from",
        "proxy_headers=bool(settings.trusted_proxies),\n"
        "        forwarded_allow_ips=[str(network) for network in settings.trusted_proxies],",
        "proxy_headers=True,",
        (f"{BACKEND}/runs/test_sharing.py::test_nobody_may_say_who_they_are",),
    ),
    Mutation(
        "what is closed is open",
        "return any(path == each for name in self.closed for each in CLOSABLE[name])",
        "return False",
        GUARDS,
    ),
    Mutation(
        "what is kept needs no code",
        "return path.startswith(API) and path != ENTRANCE and writes(method, path)",
        'return path.startswith(f"{API}/runs") and writes(method, path)',
        (f"{BACKEND}/http/test_access.py",),
    ),
    Mutation(
        "strangers say what was measured",
        'OF_OPERATORS = frozenset({("POST", f"{API}/tuned")})',
        "OF_OPERATORS = frozenset[tuple[str, str]]()",
        (f"{BACKEND}/http/test_access.py",),
    ),
    Mutation(
        "large work takes every process", "self._large_free = max(1, places - 1)", "self._large_free = places", TURNS
    ),
    Mutation("what waited longest gets no turn", "by_use = self._choices % CYCLE == 0", "by_use = True", TURNS),
    Mutation(
        "who had least gets no turn",
        "min(first, key=lambda waiter: (waiter.used() if by_use else 0.0,",
        "min(first, key=lambda waiter: (0.0,",
        TURNS,
    ),
    Mutation(
        "time of compiles is no budget",
        "self._allowance = Allowance(SECONDS_AT_ONCE, SECONDS_PER_SECOND, settings.quota_factor)",
        "self._allowance = Allowance(SECONDS_AT_ONCE, SECONDS_PER_SECOND, 0)",
        (f"{BACKEND}/runs/test_fairness.py",),
    ),
    Mutation(
        "links hold large garbage",
        "if size > draft and isinstance(plan, Plan)",
        "if False and isinstance(plan, Plan)",
        (f"{OWNERSHIP}::test_links_hold_plans_that_compile_and_small_drafts",),
    ),
    Mutation(
        "a disk is filled to its end",
        ".free < settings.free_disk_bytes:",
        ".free < 0:",
        (f"{OWNERSHIP}::test_nothing_new_is_kept_on_a_full_disk",),
    ),
    Mutation("whatever packs well is unpacked", "if self._size > self._ratio:", "if False:", UNPACKING),
    Mutation(
        "members that hold nothing are not counted", "if self._members > self._most_members:", "if False:", UNPACKING
    ),
    Mutation(
        "one visitor has all places for reading",
        "Turns(PLACES, MOST_WAITING, large_of_each=1)",
        "Turns(PLACES, MOST_WAITING)",
        READINGS,
    ),
    Mutation(
        "whatever a child tells is believed",
        "if isinstance(event, dict) and is_event(event) and self._has_room(event, len(line)):",
        "if isinstance(event, dict) and self._has_room(event, len(line)):",
        CHILD_LINES,
    ),
    Mutation("a killed process is not asked again", "if not outcome.was_killed:", "if True:", READINGS),
    Mutation(
        "everybody deletes everything",
        'require_owner(link, visitor, "link")',
        "pass",
        (
            f"{OWNERSHIP}::test_a_link_is_deleted_by_who_made_it_and_by_nobody_else",
            f"{OWNERSHIP}::test_an_upload_is_deleted_by_who_made_it_and_by_nobody_else",
        ),
    ),
    Mutation(
        "headers of any size",
        "if self._in_headers and self._header_bytes >= self.limits.header_bytes:",
        "if False:",
        (f"{CONNECTIONS}::test_headers_of_megabytes_are_refused_and_not_kept", *OUT_OF_BOUNDS),
    ),
    Mutation("any number of headers", "if len(self.headers) >= self.limits.headers:", "if False:", OUT_OF_BOUNDS),
    Mutation(
        "slow headers are waited for",
        "elif self.flow.read_paused:  # It is we who do not read.",
        "elif True:",
        OUT_OF_BOUNDS,
    ),
    Mutation(
        "a body that stops is waited for",
        "if self._body_idle > self.limits.body_seconds:",
        "if False:",
        (f"{CONNECTIONS}::test_a_body_that_stops_is_refused",),
    ),
    Mutation(
        "any number of connections",
        "if self.parties[owner] > self.limits.of_owner:",
        "if False:",
        (f"{CONNECTIONS}::test_an_address_has_so_many_connections_and_gets_them_back",),
    ),
    Mutation(
        "two names of a host",
        "if len(hosts) > 1:",
        "if False:",
        (f"{CONNECTIONS}::test_a_name_of_two_hosts_is_refused",),
    ),
    Mutation(
        "names that turn around",
        r"\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]{1,200}",
        r"]{1,200}",
        (f"{BACKEND}/http/test_problems.py::test_a_name_that_would_look_like_another_is_refused",),
    ),
    Mutation("a full disk is a defect", "DISK_FULL = (errno.ENOSPC, errno.EDQUOT)", "DISK_FULL = ()", ERRORS),
    Mutation("a damaged database is a defect", "app.add_exception_handler(DBAPIError, on_database_error)", "", ERRORS),
    Mutation(
        "a client that leaves is a defect", "app.add_exception_handler(ClientDisconnect, on_departure)", "", ERRORS
    ),
    Mutation(
        "a failed start has no sentence",
        "app.state.start_failure = start_failure(error, app.state.settings)",
        "",
        STARTS,
    ),
    Mutation(
        "a damaged database is backed up",
        '_require_whole(copy, f"the database in {data}")',
        "",
        BACKUP,
    ),
    Mutation("everybody reads the backup", "packed.chmod(0o600)", "packed.chmod(0o644)", BACKUP),
    Mutation("an archive needs no database", "if not (unpacked / DATABASE).is_file():", "if False:", BACKUP),
    Mutation(
        "what is restored need not be whole", '_require_whole(unpacked / DATABASE, "the database in it")', "", BACKUP
    ),
    Mutation(
        "the reference does not wrap",
        "result = result.astype(dtype).astype(wide)",
        "pass",
        (f"{BACKEND}/worker/test_reference.py",),
    ),
    Mutation("integers lose bits", "large = np.abs(values) >= 2**53", "large = np.zeros(values.shape, bool)", READERS),
    Mutation("coordinates are rounded", "if numbers is not None and whole:", "if False:", READERS),
    Mutation("a banner goes on", "if len(words) > len(_KNOWN):", "if False:", READERS),
    Mutation(
        "a pattern is skew-symmetric",
        'if field == "pattern" and symmetry == "skew-symmetric":',
        "if False:",
        READERS,
    ),
    Mutation(
        "the rest of a comment is data",
        'in_comment = in_comment or text.startswith(b"#")',
        'in_comment = text.startswith(b"#")',
        TNS,
    ),
    Mutation(
        "an open data directory stays open",
        "if directory.stat().st_mode & 0o077:",
        "if False:",
        PRIVACY,
    ),
    Mutation("what an earlier version left stays open", "    path.chmod(wanted)\n", "", PRIVACY),
    Mutation("the server makes files for everybody", "os.umask(0o077)  # the", "os.umask(0o022)  # the", PRIVACY),
    Mutation("locks are written by everybody", "os.fchmod(descriptor, 0o444)", "os.fchmod(descriptor, 0o666)", PRIVACY),
    Mutation(
        "a run sees the data directory",
        "return Sight(tuple(path for path in (settings.data_directory, settings.certificates) if path is not None))",
        "return Sight()",
        (f"{BACKEND}/engine/confinement/test_sight.py",),
    ),
    Mutation(
        "nothing is hidden behind namespaces",
        "done = hide(libc, path, nothing) and done",
        "pass",
        SANDBOX,
    ),
    Mutation(
        "the home and other folders without programs are open to runs",
        "hidden = [*self.hidden, *list_foreign()]",
        "hidden = list(self.hidden)",
        (f"{BACKEND}/engine/confinement/test_sight.py",),
    ),
    Mutation(
        "runs open all devices",
        "arrange_view(libc, [*places.hidden, FOLDER], [*places.readable, *writable, scratch, *devices])",
        "arrange_view(libc, places.hidden, [*places.readable, *writable, scratch])",
        SANDBOX,
    ),
    Mutation(
        "rules hide nothing",
        'permitted = [(path, LOOK) for root in ("/", *readable) for path in list_visible(without, Path(root))]',
        'permitted = [("/", LOOK)]',
        SANDBOX,
    ),
    Mutation("runs make namespaces", '"unshare": (272, 97), ', "", CALLS),
    Mutation("runs clone namespaces", "*when(JUMP_IF_ANY, NEW_NAMESPACES, errno.EPERM), ", "", SANDBOX),
    Mutation("runs use io_uring", '"io_uring_setup": (425, 425), ', "", CALLS),
    Mutation("runs use keys", '"keyctl": (250, 219), ', "", CALLS),
    Mutation(
        "a kernel needs no seal",
        "if hmac.compare_digest(path.name, _file_name(key, content)):",
        "if True:",
        SEALS,
    ),
    Mutation(
        "a seal needs no secret",
        'seal = hmac.new(mine, key.encode() + b"\\0", hashlib.sha256)',
        'seal = hmac.new(b"known", key.encode() + b"\\0", hashlib.sha256)',
        SEALS,
    ),
    Mutation(
        "a folder stands for a kernel",
        "except IsADirectoryError:\n            remove(path)\n            continue",
        "except ZeroDivisionError:\n            continue",
        (f"{CACHE}::test_a_folder_in_place_of_an_entry_gives_way",),
    ),
    Mutation(
        "root is not warned of",
        'if getattr(os, "geteuid", lambda: 1)() == 0 and not in_container(os.environ):',
        "if False:",
        (f"{BACKEND}/lifetime/test_start_warnings.py",),
    ),
    Mutation(
        "no lack is told",
        "return [meaning for part, safe, meaning in LACKS if sandbox.get(part) not in safe] if sandbox else []",
        "return []",
        (f"{BACKEND}/lifetime/test_readiness.py",),
    ),
    Mutation(
        "a crowd is timed as long as one",
        "CROWD = 3",
        "CROWD = 1000",
        (f"{BACKEND}/runs/test_dispatch.py",),
    ),
    Mutation(
        "a stop has no limit",
        "if not self.should_exit:\n            end_after(self._stop_limit_seconds)",
        "pass",
        (f"{BACKEND}/lifetime/test_stopping.py::test_the_first_signal_sets_the_limit_of_a_stop_and_later_ones_do_not",),
    ),
    Mutation(
        "a stored verdict is judged again",
        'return stored if stored["judged_by"] == RULES else {**stored, "rejudgement": rejudge(result)}',
        "return conclude(result)",
        (f"{BACKEND}/verdicts/test_verdicts.py",),
    ),
    Mutation(
        "Dask serves its pages",
        'self.scheduler_spec["cls"] = PagelessScheduler',
        "pass",
        (f"{BACKEND}/engine/confinement/test_embedded_protection.py::test_nobody_else_runs_code_in_the_server",),
    ),
    Mutation(
        "a run chooses the key of its cache",
        "if not KEY.fullmatch(name):",
        "if True:",
        PRIVATE_CACHE,
    ),
    Mutation(
        "a kernel is kept without its seal",
        'if seal_name(mine, path.name.partition(".")[0], content) != path.name:',
        "if False:",
        PRIVATE_CACHE,
    ),
    Mutation(
        "a run's changes of its cache have no bound",
        'options = f"size={cache_bytes},nr_inodes={MOST_INODES},mode=700"',
        'options = "mode=700"',
        PRIVATE_CACHE,
    ),
    Mutation(
        "a run without namespaces fills the disk",
        'if self._sandbox.get("cache") == "shared" and self._room.is_exceeded():',
        "if False:",
        PRIVATE_CACHE,
    ),
    Mutation(
        "notes of the cache are as many as a stranger likes",
        "MOST_NOTES = 32",
        "MOST_NOTES = 1 << 20",
        RUN_CACHE,
    ),
    Mutation(
        "a server is not ready before it can time runs",
        "starting = self._settings.scheduler is None and not self._was_connected",
        "starting = False",
        (f"{BACKEND}/lifetime/test_readiness.py",),
    ),
    Mutation(
        "a survey says every square matrix is symmetric",
        "        if (ours[:size] != theirs[:size]).any():\n            return False\n",
        "",
        (f"{SURVEY}::test_a_mirror_image_is_known",),
    ),
    Mutation(
        "ids at an address fill a queue with one piece of work each",
        "has = max(of_visitor[waiter.who], of_address[waiter.address] / VISITORS_OF_ADDRESS)",
        "has = of_visitor[waiter.who]",
        TURNS,
    ),
    Mutation(
        "numbers that no scheduler packs are passed on",
        "if not -(1 << 63) <= number < 1 << 64:",
        "if False:",
        CHILD_LINES,
    ),
    Mutation(
        "a process that has the number of another keeps its folders",
        "return not psutil.pid_exists(process) or bool(then and (now := began(process)) and now != then)",
        "return not psutil.pid_exists(process)",
        (f"{BACKEND}/engine/confinement/test_scratch.py",),
    ),
    Mutation(
        "a cell that is named again and again is kept as often",
        "    fresh[1:] = keys[1:] != keys[:-1]\n",
        "",
        (f"{SURVEY}::test_a_survey_says_what_a_preview_says[33-shape4]",),
    ),
    Mutation(
        "a start builds what checks all answers",
        "        route_class=LateAnswerRoute,\n",
        "",
        (f"{BACKEND}/lifetime/test_start.py",),
    ),
)
