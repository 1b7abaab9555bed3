import { setFlagsFromString } from 'node:v8'

/**
 * Keeps code compiled that was not used for a while. The engine would drop it in the quiet hours of
 * a schedule, and the next crowd would be served by code that is slow again.
 */
export function keepCode(): void {
  setFlagsFromString('--no-flush-bytecode')
}
