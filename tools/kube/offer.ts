import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ControlPlane, startControlPlane } from './control-plane.ts'
import type { ControlPlaneOptions } from './flags.ts'

export interface Offer {
  /** A request to it gives the address of the plane, as JSON, when it is ready. */
  readonly url: string
  /** Stops the plane if there is one. */
  close(): Promise<void>
}

/** A plane for many processes, that is started when the first of them asks. */
export async function offerControlPlane(options: ControlPlaneOptions): Promise<Offer> {
  let starting: Promise<ControlPlane> | null = null
  const server = createServer(async (_request, response) => {
    starting ??= startControlPlane(options)
    try {
      const { address } = await starting
      response.end(JSON.stringify(address))
    } catch (error) {
      response.writeHead(500).end((error as Error).message)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      server.close()
      server.closeAllConnections()
      const plane = await starting?.catch(() => null)
      await plane?.stop()
    },
  }
}
