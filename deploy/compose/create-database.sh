#!/bin/sh
# Run once by the image of PostgreSQL, when its volume is empty. kron gets a login of its own, which
# owns its database and is no superuser, so that row-level security holds for it.
set -eu
psql --username "$POSTGRES_USER" --no-psqlrc --set ON_ERROR_STOP=1 \
  --set password="$KRON_DATABASE_PASSWORD" <<'SQL'
create role kron login password :'password';
create database kron owner kron;
SQL
