import { type CrontabFile, type ReadCrontabOptions, readCrontabs } from '../crontab/index.js'
import { type KrontabFile, readKrontabs } from '../krontab/index.js'
import { trustedFiles } from './trusted-files.js'

/** Reads krontabs; a file that others could have written has a problem that says so, and no jobs. */
export function readTrustedKrontabs(paths: readonly string[], uid: number): KrontabFile[] {
  return readKrontabs(paths, trustedFiles(uid))
}

/** The same for cron's own files. */
export function readTrustedCrontabs(
  paths: readonly string[],
  uid: number,
  options: ReadCrontabOptions,
): CrontabFile[] {
  return readCrontabs(paths, trustedFiles(uid), options)
}
