import type { Assignment, CreateContender } from '../contender.ts'
import { createSender, type Send } from '../sender.ts'
import { waitUntil } from '../wait-until.ts'
import { sendAll } from './in-flight.ts'

/** The limit: one timer, no store, no records. */
export const create: CreateContender = async () => {
  let assignment: Assignment
  let send: Send | undefined
  return {
    async prepare(given) {
      assignment = given
      send ??= createSender(given.targetUrl)
    },
    async run() {
      await waitUntil(assignment.dueAt)
      await sendAll(assignment.count, send!)
    },
    async rest() {},
  }
}
