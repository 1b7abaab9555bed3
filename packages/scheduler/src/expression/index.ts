export { parseExpression } from './expression.js'
