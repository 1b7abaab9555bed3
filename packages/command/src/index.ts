export {
  badArgument,
  choiceArgument,
  countArgument,
  durationArgument,
  instantArgument,
  logArguments,
  secondsArgument,
  zoneArgument,
} from './argument/index.js'
export {
  decodeUtf8,
  type FileSource,
  findFiles,
  kindOfPath,
  systemFiles,
  unreadableBecause,
} from './files/index.js'
export { addCompletion, type ManualEntry, type ManualProgram, manualFiles } from './manual/index.js'
export {
  type Answer,
  type Cell,
  Invocation,
  type OutputOptions,
  printAnswer,
  printAnswers,
} from './output/index.js'
export {
  appended,
  CommandFailure,
  type CommandHost,
  calledCommand,
  type Done,
  type ExitCode,
  type ExitMeanings,
  type Explain,
  endProcess,
  exitCodeOf,
  exitCodes,
  exitCodesText,
  type Failure,
  isCommanderError,
  pathOf,
  processHost,
  reportFailure,
  runProgram,
  withAlias,
  withHost,
  withOutput,
} from './program/index.js'
export { clean, cleanLines } from './text/clean.js'
export { userFolder } from './user-folder.js'
