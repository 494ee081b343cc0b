import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasEngine } from './run.ts';

/** Log of an engine and of its applies, independent of agent and server. */
export interface Ledger {
  readonly args: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** The runs whose apply was begun, in order. */
  applies(): string[];
}

/** Agents and their engines are on one machine, and see it as it is. */
const BARE = ['--isolation', 'none'];

const linesOf = (file: string): string[] => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);

/** Terraform, where it is there: it makes three things, one after the other, and takes its time for the second. */
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

/** A script: its state has the runs that were applied, in order. */
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
