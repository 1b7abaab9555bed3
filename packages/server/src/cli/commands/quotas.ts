import { type ExitCode, exitCodes } from '@kron/command'
import type { Command } from 'commander'
import { acting, type CommandPorts, type Invocation } from '../invocation.js'
import { printQuotas, type QuotaDocument } from '../text/quota-text.js'

export function addQuotas(program: Command, ports: CommandPorts): void {
  const command = program.command('quotas').description('Show the quotas and what is used')
  acting(command, ports, showQuotas)
}

async function showQuotas(invocation: Invocation): Promise<ExitCode> {
  const document = await invocation.client.get<QuotaDocument>('/quotas')
  if (invocation.isJson) {
    invocation.printJson(document)
    return exitCodes.success
  }
  printQuotas(invocation, document)
  return exitCodes.success
}
