import { useState } from 'react';
import { ApiError } from '../../api/error.ts';
import { Button } from '../../components/button/Button.tsx';
import { CertificateArea, FileButton } from '../../components/certificate/CertificateArea.tsx';
import { Mount } from '../../components/certificate/Mount.tsx';
import { whyNot } from '../../components/certificate/pem.ts';
import { Field } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { NotAllowed } from '../../components/page-states/PageStates.tsx';
import { Panel } from '../../components/section/Section.tsx';
import { Missing } from '../../shell/Missing.tsx';
import { useMay } from '../../shell/may.ts';
import { useCertificateMounts } from '../../shell/mounts/mounts.ts';
import { Outcome } from './Outcome.tsx';
import styles from './test.module.css';
import * as texts from './texts.ts';
import { useTest } from './use-test.ts';
import type { View } from './view.ts';

interface TestPartProps {
  readonly has: { readonly access: boolean; readonly workspaces: boolean };
  readonly view: View;
  readonly onShow: (change: View) => void;
}

/** Tests a certificate end to end: shows how far it gets, and what to do where it stops. */
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
        title={texts.endToEndTest}
        note={texts.nothingIsLoggedIn}
        end={
          <Button look="small" onClick={close}>
            {texts.close}
          </Button>
        }
      >
        {!has.access ? (
          <p className="soft">{texts.theAccessApiChecks}</p>
        ) : test.data ? (
          <Outcome tested={test.data} has={has} onAgain={() => test.reset()} onShow={onShow} />
        ) : test.error instanceof ApiError && test.error.isRefusal ? (
          <NotAllowed what={texts.theTest} error={test.error} missing={<Missing capability="update" path={path} />} />
        ) : (
          <Form
            action={texts.testCertificate}
            isPrimary={false}
            busy={test.isPending}
            off={whyNot(pem) ?? (!may(path, 'update', 'create') && texts.requiresUpdateOn(path))}
            fault={test.error}
            onSubmit={() => test.mutate({ mount, role, pem })}
            also={<FileButton onFile={(file) => void read(file)} />}
          >
            <CertificateArea value={pem} rows={6} onText={setPem} onFile={(file) => void read(file)} />
            <Mount mount={mount} mounts={mounts} onMount={setMount} />
            <Field label={texts.role} help={texts.checksOnlyThisRole} value={role} onText={setRole} />
          </Form>
        )}
      </Panel>
    </div>
  );
}
