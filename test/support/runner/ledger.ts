import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasEngine } from './run.ts';

/** Log of an engine and of its applies, independent of agent and server. */
export interface Ledger {
  readonly args: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** Runs whose apply has started, in order. */
  applies(): string[];
}

/** Agents and their engines run on one machine, without a sandbox. */
const BARE = ['--isolation', 'none'];

const linesOf = (file: string): string[] => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);

/** Terraform, if it is installed: it creates three resources, one after the other, and the second takes its time. */
export function realLedger(folder: string, seconds: number): Ledger {
  if (!hasEngine) return scriptedLedger(folder, seconds);
  const file = join(folder, 'ledger');
  const main = `
resource "terraform_data" "first" {
  provisioner "local-exec" { command = "echo $TFC_RUN_ID >>'${file}'" }
}
resource "terraform_data" "second" {
  depends_on = [terraform_data.first]
  provisioner "local-exec" { command = "echo begun; sleep ${seconds}" }
}
resource "terraform_data" "third" { depends_on = [terraform_data.second] }
`;
  const args = [...BARE, '--engine', '/usr/local/bin/terraform'];
  return { args, files: { 'main.tf': main }, applies: () => linesOf(file) };
}

/** A script: its state contains the applied runs, in order. */
export function scriptedLedger(folder: string, seconds: number): Ledger {
  const file = join(folder, 'ledger');
  const place = join(folder, 'engine');
  mkdirSync(place, { recursive: true });
  const script = `#!/bin/sh
state=$(echo ../states/*)/terraform.tfstate
field() { sed -n "s/.*\\"$1\\":\\"\\{0,1\\}\\([^,\\"]*\\).*/\\1/p" $state 2>/dev/null; }
put() { echo "{\\"version\\":4,\\"serial\\":$1,\\"lineage\\":\\"l\\",\\"resources\\":[],\\"runs\\":\\"$2\\"}" >$state.new; mv $state.new $state; }
case $1 in
  version) echo 'Terraform v1.11.4';;
  plan) echo planning; [ -e slow.tf ] && sleep 3; echo x >../plan/tfplan; exit 2;;
  show|providers) echo '{}';;
  apply)
    serial=$(field serial); runs="$(field runs)"
    echo "$TFC_RUN_ID" >>'${file}'
    put $((\${serial:-0} + 1)) "$runs $TFC_RUN_ID:begun"
    echo begun; sleep ${seconds}
    put $((\${serial:-0} + 2)) "$runs $TFC_RUN_ID:done"
    echo 'Apply complete!';;
esac
`;
  const program = join(place, 'terraform');
  writeFileSync(program, script, { mode: 0o755 });
  return { args: [...BARE, '--engine', program], files: { 'main.tf': '' }, applies: () => linesOf(file) };
}
