/** A word that a shell reads as it is. */
export function shellWord(word: string): string {
  return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/**
 * A shell text that gives a command what cron gives it to read. The input ends with a newline, as
 * cron's always does; each of its lines is an argument, so that nothing in it is expanded.
 */
export function withInput(command: string, stdin: string, shell: string): string {
  const lines = stdin.replace(/\n$/, '').split('\n')
  const input = lines.map((line) => `'${line.replaceAll("'", "'\\''")}'`).join(' ')
  // What has syntax in it, such as && or a comment, must stay one command behind the pipe.
  const isSimple = /^[\w ./:=,@+-]+$/.test(command)
  const reader = isSimple ? command.trim() : `${shellWord(shell)} -c ${shellWord(command)}`
  return `printf '%s\\n' ${input} | ${reader}`
}
