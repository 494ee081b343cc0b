import { access } from '../../api/client.ts';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { usePlace } from '../../shell/page.ts';
import * as texts from './texts.ts';
import { Workbench } from './Workbench.tsx';

/** Page for a new policy. */
export function NewPolicyPage() {
  usePlace([{ label: texts.access }, { label: texts.policies, to: '/~access/policies' }, { label: texts.newText }]);
  usePathLine({
    request: access.request('POST /sys/policies/acl/{name}', { path: { name: 'NAME' } }),
    command: 'lockkeeper write sys/policies/acl/NAME policy=@NAME.hcl',
  });
  return <Workbench stored={undefined} />;
}
