import { Argument, type Command } from 'commander'
import { completionScript, type Shell, shells } from './completion-script.js'

/** Adds `completion <shell>`, which prints through the output of the program. */
export function addCompletion(program: Command): Command {
  const name = program.name()
  return program
    .command('completion')
    .description('Print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .addHelpText(
      'after',
      `
Examples:
  ${name} completion bash > /usr/share/bash-completion/completions/${name}
  ${name} completion zsh > /usr/share/zsh/site-functions/_${name}
  ${name} completion fish > /usr/share/fish/vendor_completions.d/${name}.fish`,
    )
    .action((shell: Shell) => {
      program.configureOutput().writeOut?.(completionScript(program, shell))
    })
}
