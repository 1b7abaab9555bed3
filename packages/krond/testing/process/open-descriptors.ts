import { readdirSync, readlinkSync } from 'node:fs'

/** The files in a folder, or below it, that this process has open. */
export function openBelow(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((number) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${number}`)
      return path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : []
    } catch {
      // The descriptor that listed the folder is closed by now.
      return []
    }
  })
}
