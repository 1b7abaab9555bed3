export { instantText } from '../domain/index.js'
