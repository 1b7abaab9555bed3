/** What others ask of the daemon. */
export interface SignalSource {
  /** Answers how to unsubscribe. */
  subscribe(handlers: { stop(): void; reload(): void }): () => void
}

/** Signals of this process: SIGTERM and SIGINT stop, SIGHUP reloads. */
export const processSignals: SignalSource = {
  subscribe({ stop, reload }) {
    const stopping = ['SIGTERM', 'SIGINT'] as const
    for (const signal of stopping) process.on(signal, stop)
    process.on('SIGHUP', reload)
    return () => {
      for (const signal of stopping) process.off(signal, stop)
      process.off('SIGHUP', reload)
    }
  },
}
