import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems give to clients: one of them could take it during a restart. */
const lowest = 20_000
const highest = 29_999

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    if (server.listening) {
      server.close()
      await once(server, 'close')
    }
  }
}

/** A port that is free at the moment: the caller must be ready to find it taken, and ask again. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest + 1))
    if (await isFree(port)) return port
  }
  throw new Error(`no free port between ${lowest} and ${highest} in 100 attempts`)
}
