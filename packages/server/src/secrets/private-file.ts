import { randomUUID } from 'node:crypto'
import { link, open, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a file that only its owner may read. False, and nothing is changed, where there is one of
 * that name already, whatever it holds.
 *
 * It is written beside its place first, then linked: a crash leaves no half a file, and of two
 * processes that make the same one, one does. When this has answered, a power cut does not take the
 * file away again.
 */
export async function createPrivateFile(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
    await file.close()
    const isNew = await link(draft, path).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false
        throw error
      },
    )
    if (isNew) await syncFolder(dirname(path))
    return isNew
  } finally {
    await file.close().catch(() => {})
    await unlink(draft)
  }
}

/** Windows opens no folders, and needs none to be opened. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
