export { decisionFields } from './decision-fields.js'
export { descriptorOutlet, descriptorSink } from './descriptor-outlet.js'
export { type FailureContext, messageOf } from './failure.js'
export { type HostLogOptions, hostLog, type LogOutlet } from './host-log.js'
export { type LineFormat, type LinePair, textLine } from './line.js'
export { type DroppedLines, type LineKind, LineOutlet } from './line-outlet.js'
export { createLog, type Log } from './log.js'
export type { LogFields, LogFormat, LogLevel, LogOptions } from './log-options.js'
export { type PlainValue, plainValue } from './plain-value.js'
export {
  instantText,
  type Sentence,
  type SentenceFields,
  type SentenceOptions,
  type SentenceTone,
  sentenceLines,
} from './sentence-lines.js'
