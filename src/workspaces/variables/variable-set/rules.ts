import type { Issue } from '../../../lib/errors.ts';
import { attributeIssue, unprocessable } from '../../jsonapi/errors.ts';
import type { SetInput } from './schema.ts';
import type { SetContent } from './variable-set.ts';

const NEW_SET: SetContent = { name: '', description: '', global: false, priority: false };

/**
 * Returns the set after a client's attributes: absent ones stay, null restores the default.
 * @throws 422 with all errors
 */
export function nextSet(
  input: NonNullable<SetInput['attributes']>,
  projectId: string | null,
  current: SetContent = NEW_SET,
): SetContent {
  const { name, description, global, priority } = input;
  const next: SetContent = {
    name: name ?? current.name,
    description: description === undefined ? current.description : (description ?? ''),
    global: global === undefined ? current.global : (global ?? false),
    priority: priority === undefined ? current.priority : (priority ?? false),
  };
  const issues: Issue[] = [
    ...(next.name.trim() === '' ? [attributeIssue('name', "Name can't be blank")] : []),
    ...(next.global && projectId !== null
      ? [attributeIssue('global', 'Global cannot be set on a variable set that a project owns')]
      : []),
  ];
  if (issues.length > 0) throw unprocessable(issues);
  return next;
}
