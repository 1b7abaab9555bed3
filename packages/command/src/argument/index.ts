export {
  badArgument,
  choiceArgument,
  countArgument,
  durationArgument,
  instantArgument,
  logArguments,
  secondsArgument,
  zoneArgument,
} from './argument.js'
