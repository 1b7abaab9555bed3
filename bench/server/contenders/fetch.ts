import type { Assignment, CreateContender } from '../contender.ts'
import { waitUntil } from '../wait-until.ts'
import { sendAll } from './in-flight.ts'

/** As the limit, with the `fetch` of Node. */
export const create: CreateContender = async () => {
  let assignment: Assignment
  return {
    async prepare(given) {
      assignment = given
    },
    async run() {
      const { dueAt, count, targetUrl } = assignment
      await waitUntil(dueAt)
      await sendAll(count, async (id) => {
        const response = await fetch(`${targetUrl}${id}`)
        await response.arrayBuffer()
        if (!response.ok) throw new Error(`the target answered ${response.status}`)
      })
    },
    async rest() {},
  }
}
