import type { Command } from 'commander';
import { addVariableDelete } from './delete.ts';
import { addVariableList } from './list.ts';
import { addVariableSet } from './set.ts';

/** Command `lockkeeper variable`: variables of a workspace. */
export function addVariable(program: Command): void {
  const variable = program.command('variable').description('List, set and delete variables of a workspace');
  addVariableList(variable);
  addVariableSet(variable);
  addVariableDelete(variable);
}
