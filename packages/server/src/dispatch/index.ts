export { createDispatcher, type Dispatcher, type DispatcherOptions } from './dispatcher.js'
export {
  type ExchangeError,
  type ExchangeErrorCode,
  type ExchangeRequest,
  type ExchangeResult,
  type ExchangeStatus,
  exchangeErrorCodes,
} from './exchange.js'
export * from './guard/index.js'
export { framingHeaders } from './message.js'
export {
  isLoopbackName,
  loopbackAddresses,
  type NameFiles,
  type ResolvedAddress,
  type Resolver,
} from './names/index.js'
export { parseSteering } from './steering.js'
export { Stop } from './stop.js'
export { parseTarget, type Target } from './target.js'
export {
  compileTemplate,
  type Template,
  type TemplatePlace,
  type TemplateValues,
} from './template.js'
