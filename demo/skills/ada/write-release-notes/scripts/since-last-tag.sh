#!/bin/sh
# The commits since the last tag, oldest first; all of them where there is no tag yet.
set -eu
last=$(git describe --tags --abbrev=0 2>/dev/null || true)
git log --reverse --format='%h %s' ${last:+"$last"..}
