export { keyOf, Reflector, type ReflectorOptions } from './reflector.js'
export { isLater } from './resource-version.js'
