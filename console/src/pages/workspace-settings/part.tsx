import type { ComponentType } from 'react';
import type { Resources } from '../../api/client.ts';
import type { Request } from '../../api/request.ts';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { usePlace } from '../../shell/page.ts';
import { useWorkspace } from '../../shell/workspace.ts';

export interface PartProps {
  readonly organization: string;
  readonly workspace: Resources['workspaces'];
}

interface PartOptions {
  /** Undefined for the first one, which has the address of all of them. */
  readonly label?: string;
  /** What fills it, or changes what it shows. @param id of the workspace */
  readonly request: (id: string) => Request;
  readonly command?: (id: string) => string;
}

/** A part of the settings: where it is, its request, and what it shows once the workspace is known. */
export function partOf(Shows: ComponentType<PartProps>, { label, request, command }: PartOptions) {
  return function Part() {
    const { organization, workspace, query } = useWorkspace();
    const to = `/${organization}/workspaces/${workspace}`;
    const id = query.data?.data.id ?? '';
    usePlace([
      { label: organization, to: `/${organization}/workspaces` },
      { label: workspace, to },
      ...(label === undefined ? [{ label: 'Settings' }] : [{ label: 'Settings', to: `${to}/settings` }, { label }]),
    ]);
    usePathLine({ request: request(id), command: command?.(id) });
    return query.data && <Shows key={id} organization={organization} workspace={query.data.data} />;
  };
}
