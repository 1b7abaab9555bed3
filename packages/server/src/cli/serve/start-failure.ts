import { dirname, join } from 'node:path'
import { CommandFailure, exitCodes } from '@kron/command'
import { isPostgres, keyFileOf, type ServeOptions } from '../../start/serve-options.js'
import { StartError } from '../../start/start-error.js'

type Where = Pick<ServeOptions, 'database' | 'folder' | 'host' | 'port'>

/** What people are told when a process can't start; what is no such failure is passed on. */
export function startFailure(error: unknown, where: Where): unknown {
  if (!(error instanceof StartError)) return error
  if (error.part === 'database') return databaseFailure(error, where)
  if (error.part === 'sealing-key') return keyFailure(error, where)
  if (error.part === 'listener') return listenerFailure(error, where)
  return new CommandFailure(exitCodes.input, `--allow or KRON_ALLOW: ${error.message}`, [
    'hint: such as 10.20.0.0/16 or 127.0.0.1:8080; names of hosts are not taken',
  ])
}

const failure = (message: string, hint: string): CommandFailure =>
  new CommandFailure(exitCodes.fatal, message, [`hint: ${hint}`])

function databaseFailure(error: StartError, { database, folder }: Where): CommandFailure {
  const shown = isPostgres(database) ? withoutPassword(database) : database
  const message = `can't use the database ${shown}: ${error.message}`
  if (error.code === 'incompatible') {
    return failure(message, 'a later version of Kron has used this database: start that version')
  }
  if (isPostgres(database)) {
    const hint =
      'check that PostgreSQL runs, and host, user and database name in --database or KRON_DATABASE'
    return failure(message, hint)
  }
  const usual = join(folder, 'kron.db')
  const isUsual = database === usual
  const place = dirname(isUsual ? folder : database)
  const which = isUsual ? '--data' : '--database or KRON_DATABASE'
  if (roomCodes.test(error.code ?? '')) {
    return failure(message, `check whether the disk has space left: df -h ${place}`)
  }
  return failure(message, `${which} must name a place that this user may write to`)
}

/** A disk that is full may refuse to write, or fail to. */
const roomCodes = /^(SQLITE_FULL|SQLITE_IOERR.*|ENOSPC|EDQUOT)$/

/** As people know it, without what nobody may read over their shoulder. */
function withoutPassword(text: string): string {
  const url = URL.parse(text)
  if (url === null) return 'postgres://...'
  const login = url.username === '' ? '' : `${url.username}@`
  return `${url.protocol}//${login}${url.host}${url.pathname}`
}

const ownKeyHint = (file: string): string =>
  `KRON_SECRET_KEY or ${file} must hold the key of this database; see --lost-key if it is gone`

const keyHints: Readonly<Record<string, (file: string) => string>> = {
  key_file_unsafe: (file) => `chmod 600 ${file}, and change the key if others might have read it`,
  key_missing: ownKeyHint,
  key_unknown: ownKeyHint,
  key_file_unreadable: () => 'KRON_SECRET_KEY or --data names another key',
}

const newKeyHint =
  'openssl rand -base64 32 prints a new key, which opens nothing that older keys have sealed'

function keyFailure(error: StartError, where: Where): CommandFailure {
  const hint = keyHints[error.code ?? '']?.(keyFileOf(where)) ?? newKeyHint
  if (error.code !== 'key_missing') return failure(error.message, hint)
  return new CommandFailure(exitCodes.input, error.message, [`hint: ${hint}`])
}

const listenerHints: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'another process has this port, perhaps another kron serve; choose another port with --port',
  EACCES: 'this user may not listen on this port; choose another one with --port',
}

function listenerFailure(error: StartError, { host, port }: Where): CommandFailure {
  const hint = listenerHints[error.code ?? ''] ?? '--host must be an address of this machine'
  return failure(`can't listen on ${host}, port ${port}: ${error.message}`, hint)
}
