import { useNavigate } from '@tanstack/react-router';
import { access } from '../../api/client.ts';
import { Danger } from '../../components/destroy/Danger.tsx';
import { useMay } from '../../shell/may.ts';
import explain from './explain.module.css';
import * as texts from './texts.ts';
import { summaryOf, type Uses } from './UsedBy.tsx';

const LASTING = new Set(['root', 'default', 'response-wrapping']);

/** Deletes a policy after a confirmation that shows its uses. */
export function DeletePolicy({ name, uses }: { readonly name: string; readonly uses: Uses | undefined }) {
  const path = `sys/policies/acl/${name}`;
  const may = useMay([path]);
  const navigate = useNavigate();
  if (LASTING.has(name) || !may(path, 'delete')) return null;
  return (
    <div className={explain.part}>
      <Danger
        button={texts.deleteText}
        title={texts.deleteText2(name)}
        action={texts.deletePolicy}
        typed={{ text: name, label: texts.nameOfThePolicy, off: texts.typeTheNameToConfirm }}
        run={() => access.send('DELETE /sys/policies/acl/{name}', { path: { name } })}
        done={texts.deleted(name)}
        onDone={() => navigate({ to: '/~access/policies' })}
      >
        {uses && <p>{texts.usedBy(summaryOf(uses))}</p>}
        <p>{texts.tokensAndRolesKeep}</p>
      </Danger>
    </div>
  );
}
