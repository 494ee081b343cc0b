import { useState } from 'react';
import { ApiError } from '../../api/error.ts';
import { Button } from '../../components/button/Button.tsx';
import { CertificateArea, FileButton } from '../../components/certificate/CertificateArea.tsx';
import { Mount } from '../../components/certificate/Mount.tsx';
import { whyNot } from '../../components/certificate/pem.ts';
import { NotAllowed } from '../../components/faces/Faces.tsx';
import { Field } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { Panel } from '../../components/section/Section.tsx';
import { Missing } from '../../shell/Missing.tsx';
import { useMay } from '../../shell/may.ts';
import { useCertificateMounts } from '../../shell/mounts/mounts.ts';
import { Outcome } from './Outcome.tsx';
import styles from './test.module.css';
import { useTest } from './use-test.ts';
import type { View } from './view.ts';

interface TestPartProps {
  readonly has: { readonly access: boolean; readonly workspaces: boolean };
  readonly view: View;
  readonly onShow: (change: View) => void;
}

/** A certificate is followed from end to end: each link lights up, or says where it stops and what to do. */
export function TestPart({ has, view, onShow }: TestPartProps) {
  const [mount, setMount] = useState(view.mount ?? 'cert');
  const [role, setRole] = useState(view.role ?? '');
  const [pem, setPem] = useState('');
  const mounts = useCertificateMounts(has.access);
  const test = useTest(has.workspaces);
  const path = `auth/${mount}/login/explain`;
  const may = useMay([path], has.access);
  const read = async (file: File) => setPem(await file.text());
  const close = () => onShow({ do: undefined } as never);
  return (
    <div className={styles.test}>
      <Panel
        title="Test a certificate, end to end"
        note="Nothing is logged in and nothing is kept."
        end={
          <Button look="small" onClick={close}>
            Close
          </Button>
        }
      >
        {!has.access ? (
          <p className="soft">Whether a certificate is let in is in the other half: sign in to access to test one.</p>
        ) : test.data ? (
          <Outcome tested={test.data} has={has} onAgain={() => test.reset()} onShow={onShow} />
        ) : test.error instanceof ApiError && test.error.isRefusal ? (
          <NotAllowed what="The test" error={test.error} missing={<Missing capability="update" path={path} />} />
        ) : (
          <Form
            action="Follow it"
            isPrimary={false}
            busy={test.isPending}
            off={whyNot(pem) ?? (!may(path, 'update', 'create') && `It takes update on ${path}`)}
            fault={test.error}
            onSubmit={() => test.mutate({ mount, role, pem })}
            also={<FileButton onFile={(file) => void read(file)} />}
          >
            <CertificateArea value={pem} rows={6} onText={setPem} onFile={(file) => void read(file)} />
            <Mount mount={mount} mounts={mounts} onMount={setMount} />
            <Field
              label="Role"
              help="The only one to be asked; empty: the first hundred."
              value={role}
              onText={setRole}
            />
          </Form>
        )}
      </Panel>
    </div>
  );
}
