import { schedule } from 'node-cron'
import { nothingToStop, type Register } from './contender.ts'

export const register: Register = async (tasks) => {
  for (const { name, expression, callback } of tasks) schedule(expression, callback, { name })
  return nothingToStop
}
