import { access } from '../../api/client.ts';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { usePlace } from '../../shell/page.ts';
import { Workbench } from './Workbench.tsx';

/** A policy that is not there yet. */
export function NewPolicyPage() {
  usePlace([{ label: 'Access' }, { label: 'Policies', to: '/~access/policies' }, { label: 'New' }]);
  usePathLine({
    request: access.request('POST /sys/policies/acl/{name}', { path: { name: 'NAME' } }),
    command: 'lockkeeper write sys/policies/acl/NAME policy=@NAME.hcl',
  });
  return <Workbench stored={undefined} />;
}
