#!/bin/sh
# Has a program see a folder as the root of its files. Call it in mount namespaces of its own.
#   enter-root.sh <folder> <mount>... -- <program> <argument>...
# A mount is, with paths of both sides that exist:
#   ro:<from>:<to>   a file or folder of this machine that can't be changed
#   rw:<from>:<to>   one that can
#   tmp:<to>         an empty folder in memory, for everybody
#   sealed           makes the root itself read-only; the mounts after it are not
#   loopback         brings up 127.0.0.1, in a network namespace of its own
set -eu
root=$1
shift
while [ "$1" != -- ]; do
  kind=${1%%:*}
  rest=${1#*:}
  from=${rest%%:*}
  to=$root${rest#*:}
  case $kind in
    sealed) mount --bind "$root" "$root" && mount -o remount,bind,ro "$root" ;;
    loopback) ip link set lo up ;;
    tmp) mount -t tmpfs -o mode=1777 tmpfs "$root$rest" ;;
    rw) mount --rbind "$from" "$to" ;;
    ro) mount --rbind "$from" "$to" && mount -o remount,bind,ro "$to" ;;
    *) echo "enter-root.sh: not a mount: $1" >&2 && exit 1 ;;
  esac
  shift
done
shift
exec chroot "$root" "$@"
