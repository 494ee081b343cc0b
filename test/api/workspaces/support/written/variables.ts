import type { Written } from './written.ts';

const variable: Written = {
  sets: [
    { key: 'written-1', value: 'north', description: 'Where', category: 'env' },
    { key: 'written-2', category: 'terraform', hcl: true, sensitive: true, 'apply-only': true },
  ],
};
const variableSet: Written = { sets: [{ name: 'written', description: 'Shared', global: true, priority: true }] };

/** Attributes that variables and variable sets take. */
export const VARIABLES_WRITTEN: Readonly<Record<string, Written>> = {
  'POST /workspaces/:workspace_id/vars': variable,
  'PATCH /workspaces/:workspace_id/vars/:variable_id': variable,
  'POST /vars': variable,
  'PATCH /vars/:variable_id': variable,
  'POST /varsets/:varset_id/relationships/vars': variable,
  'PATCH /varsets/:varset_id/relationships/vars/:variable_id': variable,
  'POST /organizations/:organization_name/varsets': variableSet,
  'PATCH /varsets/:varset_id': variableSet,
  'PUT /varsets/:varset_id': variableSet,
};
