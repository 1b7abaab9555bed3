import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { Newcomer, Seen } from './newcomer.ts'
import { onTerminal } from './story.ts'

/** Types a command with a port that another process has; it is shown as the port of the command. */
export const withTakenPort =
  (shown: string) =>
  async (ada: Newcomer, command: string): Promise<Seen> => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const port = String((server.address() as AddressInfo).port)
      const { text, exitCode } = await onTerminal(ada, command.replace(shown, port))
      return { text: text.replaceAll(port, shown), exitCode }
    } finally {
      server.close()
    }
  }
