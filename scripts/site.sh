#!/usr/bin/env bash
# Makes one site of all documents that can be searched, with the API reference from the headers and the examples:
# build/site/index.html. It opens from the disk; any web server will do.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/deps.sh --docs
# the packages are of the python of Debian, which need not be the first in PATH
PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 docs/site/build.py build/site
