import type { ComponentType } from 'react';
import type { Resources } from '../../api/client.ts';
import type { Request } from '../../api/request.ts';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { usePlace } from '../../shell/page.ts';
import { useWorkspace } from '../../shell/workspace.ts';
import * as texts from './texts.ts';

export interface PartProps {
  readonly organization: string;
  readonly workspace: Resources['workspaces'];
}

export type Permission = keyof Resources['workspaces']['attributes']['permissions'];

interface PartOptions {
  /** Undefined for the first part, which has the URL of the settings page. */
  readonly label?: string;
  /**
   * Returns the request that reads or changes this part.
   * @param id of the workspace
   */
  readonly request: (id: string) => Request;
  readonly command?: (id: string) => string;
  /** Permission that this part requires. Without it, the part sends no request. */
  readonly needs?: Permission;
}

/** Creates a part of the settings: its place, its request, and its content once the workspace is loaded. */
export function partOf(Shows: ComponentType<PartProps>, { label, request, command, needs }: PartOptions) {
  return function Part() {
    const { organization, workspace, query } = useWorkspace();
    const to = `/${organization}/workspaces/${workspace}`;
    const id = query.data?.data.id ?? '';
    usePlace([
      { label: organization, to: `/${organization}/workspaces` },
      { label: workspace, to },
      ...(label === undefined
        ? [{ label: texts.settings }]
        : [{ label: texts.settings, to: `${to}/settings` }, { label }]),
    ]);
    usePathLine({ request: request(id), command: command?.(id) });
    const answer = query.data;
    if (!answer) return null;
    if (needs && !answer.data.attributes.permissions[needs]) {
      return (
        <p>
          {texts.thisPageRequires} <code>{needs}</code>
          {texts.anAdministratorOfThe}
        </p>
      );
    }
    return <Shows key={id} organization={organization} workspace={answer.data} />;
  };
}
