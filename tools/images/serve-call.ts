import type { Host } from '../../packages/server/src/cli/index.js'
import { createProgram } from '../../packages/server/src/cli/index.js'
import {
  type ServeArguments,
  serveOptions,
} from '../../packages/server/src/cli/serve/serve-arguments.js'
import type { ServeOptions } from '../../packages/server/src/start/serve-options.js'

/** What a file of `deploy/` has `kron` do: words after its name, and variables that it sets. */
export interface ServeCall {
  readonly words: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export interface UnderstoodCall {
  readonly options: ServeOptions
  /** Variables that were set and that `kron serve` does not read. */
  readonly unread: readonly string[]
}

/** The options that `kron serve` reads from a call; throws its message if it refuses the call. */
export function understood({ words, env }: ServeCall): UnderstoodCall {
  const read = new Set<string>()
  const watched = new Proxy(env, {
    get(all, name: string) {
      read.add(name)
      return all[name]
    },
  })
  const options = serveOptions(argumentsOf(words), { env: watched } as unknown as Host)
  return { options, unread: Object.keys(env).filter((name) => !read.has(name)) }
}

function argumentsOf(words: readonly string[]): ServeArguments {
  if (words[0] !== 'serve') throw new Error(`this is no call of kron serve: ${words.join(' ')}`)
  // A command that is parsed and not run asks nothing else of its host.
  const silent = { write: () => undefined }
  const program = createProgram({ stdout: silent, stderr: silent } as unknown as Host)
  let given: ServeArguments | undefined
  program.commands
    .find((command) => command.name() === 'serve')!
    .action((options: ServeArguments) => {
      given = options
    })
  program.parse([...words], { from: 'user' })
  return given!
}
