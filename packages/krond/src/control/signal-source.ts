import { closeSync, openSync } from 'node:fs'
import { isatty } from 'node:tty'

/** What others ask of the daemon. */
export interface SignalHandlers {
  /** To trigger nothing any more, and to end when nothing runs; the second time at once. */
  stop(): void
  /** To end at once, and to leave running jobs to the next daemon. */
  leave(): void
  reload(): void
}

export interface SignalSource {
  /** Answers how to unsubscribe. */
  subscribe(handlers: SignalHandlers): () => void
}

/** SIGUSR1 would be Node's own, for its debugger. */
export const leaveSignal = 'SIGUSR2'

/** The terminal that this process was started from. */
export interface OwnTerminal {
  exists(): boolean
  /** Whether it was closed. */
  isGone(): boolean
}

/**
 * Signals of a process: SIGTERM and SIGINT stop, SIGUSR2 leaves, SIGHUP reloads. But SIGHUP is
 * also what a terminal sends when it is closed, and then nobody sees any more what goes on here.
 */
export function signalsOf(
  emitter: Pick<NodeJS.EventEmitter, 'on' | 'off'>,
  terminal: OwnTerminal,
): SignalSource {
  return {
    subscribe({ stop, leave, reload }) {
      const hadTerminal = terminal.exists()
      const hangUp = (): void => (hadTerminal && terminal.isGone() ? leave() : reload())
      const handlers = [
        ['SIGTERM', stop],
        ['SIGINT', stop],
        [leaveSignal, leave],
        ['SIGHUP', hangUp],
      ] as const
      for (const [signal, handler] of handlers) emitter.on(signal, handler)
      return () => {
        for (const [signal, handler] of handlers) emitter.off(signal, handler)
      }
    },
  }
}

export const processSignals: SignalSource = signalsOf(process, {
  exists: () => [0, 1, 2].some((descriptor) => isatty(descriptor)),
  isGone: isTerminalGone,
})

/** The terminal of our session can be opened as long as there is one. */
function isTerminalGone(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return false
  } catch {
    return true
  }
}
