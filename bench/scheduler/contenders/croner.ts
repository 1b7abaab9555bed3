import { Cron } from 'croner'
import { nothingToStop, type Register } from './contender.ts'

/** Without their names: each new one is looked up among all that have one. */
export const register: Register = async (tasks) => {
  for (const { expression, callback } of tasks) new Cron(expression, callback)
  return nothingToStop
}
