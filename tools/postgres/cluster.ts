import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { serverEnvironment } from './environment.ts'

export const superuser = 'kron'

/** An empty data folder; the parent must belong to the account. */
export async function createCluster(
  { initdb }: Binaries,
  data: string,
  parent: string,
  account: Account,
): Promise<void> {
  const args = ['--pgdata', data, '--username', superuser, '--auth', 'trust']
  // Not synced: only later commits matter, and the power stays on until then.
  const more = ['--no-locale', '--encoding', 'UTF8', '--no-sync', '--no-instructions']
  try {
    await promisify(execFile)(initdb, [...args, ...more], {
      ...account,
      cwd: parent,
      env: serverEnvironment(),
    })
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    throw new Error(`initdb failed: ${stderr?.trim() || message}`)
  }
}
