#!/usr/bin/env bash
# Fetches what the tests need and runs them all: format, lints, unit, integration and documentation tests.
set -euo pipefail
cd "$(dirname "$0")"

step() {
    printf '\n== %s\n' "$*"
    "$@"
}

# The pinned toolchain brings both; only one that was installed without them needs this.
if command -v rustup >/dev/null && ! { cargo fmt --version && cargo clippy --version; } >/dev/null 2>&1; then
    step rustup component add rustfmt clippy
fi
# The page is tested in a real browser.
if ! command -v chromedriver >/dev/null || ! command -v chromium >/dev/null; then
    as_root=()
    if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
    step "${as_root[@]}" apt-get update -q
    step "${as_root[@]}" apt-get install -qy chromium chromium-driver
fi
# Whole builds are quicker without what only helps to build once more.
export CARGO_INCREMENTAL="${CARGO_INCREMENTAL:-0}"
step cargo fetch --locked
step cargo fmt --all --check
step cargo clippy --workspace --all-targets --locked -- -D warnings
step cargo test --workspace --locked
printf '\nAll tests passed.\n'
