import { fstatSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs'

/**
 * The process that has the exclusive lock of an open folder, by what the kernel tells of the
 * descriptors of all processes; null when it does not tell us. It takes a look at every process of
 * the machine, so it is only asked where the file that names the holder is gone.
 */
export function lockHolder(descriptor: number): number | null {
  const folder = fstatSync(descriptor)
  for (const pid of entriesOf('/proc')) {
    if (/^\d+$/.test(pid) && holdsLock(pid, folder)) return Number(pid)
  }
  return null
}

function holdsLock(pid: string, folder: Stats): boolean {
  return entriesOf(`/proc/${pid}/fd`).some((number) => {
    try {
      const open = statSync(`/proc/${pid}/fd/${number}`)
      if (open.ino !== folder.ino || open.dev !== folder.dev) return false
      const about = readFileSync(`/proc/${pid}/fdinfo/${number}`, 'utf8')
      return /^lock:.*\bFLOCK\b.*\bWRITE\b/m.test(about)
    } catch {
      // It has ended or closed it, or is not ours to look at.
      return false
    }
  })
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
