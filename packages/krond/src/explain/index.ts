export { type ExplainOptions, explainCommand } from './explain-command.js'
