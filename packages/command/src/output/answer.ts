import type { Style } from '@kron/runtime'
import type { Invocation } from './invocation.js'

/** What a command found out about one thing, for programs and for people. */
export interface Answer {
  json(): object
  lines(style: Style): readonly string[]
  /** What people should know of the lines. */
  readonly remark?: string
}

export function printAnswer(invocation: Invocation, answer: Answer): void {
  if (invocation.isJson) {
    invocation.printJson(answer.json())
    return
  }
  invocation.printLines(answer.lines(invocation.style))
  if (answer.remark !== undefined) invocation.note(answer.remark)
}

/** A list as JSON, however many they are; as text with a blank line between two of them. */
export function printAnswers(invocation: Invocation, answers: readonly Answer[]): void {
  if (invocation.isJson) {
    invocation.printJson(answers.map((answer) => answer.json()))
    return
  }
  for (const [index, answer] of answers.entries()) {
    if (index > 0) invocation.printLines([''])
    printAnswer(invocation, answer)
  }
}
