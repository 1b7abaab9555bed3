import type { Field } from './field.js'

const steppedElement = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)\/(\d{1,4})$/

/**
 * What to write instead of an element with a step, where there are no steps: `0,15,30,45` for every
 * fifteenth minute. Null if the element means nothing in any dialect.
 */
export function spelledOutStep(element: string, { min, max }: Field): string | null {
  const match = steppedElement.exec(element)
  if (match === null) return null
  const [, first, last, stepText] = match
  const low = first === undefined ? min : Number(first)
  const high = last === undefined ? max : Number(last)
  const step = Number(stepText)
  if (step === 0 || low < min || high > max || low > high) return null
  if (step === 1) return low === min && high === max ? '*' : `${low}-${high}`
  const values: number[] = []
  for (let value = low; value <= high; value += step) values.push(value)
  return values.join()
}
