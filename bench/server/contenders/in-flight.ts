import { connections, type Send } from '../sender.ts'

/** Sends all, as many at once as there are connections. */
export async function sendAll(count: number, send: Send): Promise<void> {
  let next = 0
  const sendSome = async (): Promise<void> => {
    for (let id = next++; id < count; id = next++) await send(id)
  }
  await Promise.all(Array.from({ length: connections }, sendSome))
}
