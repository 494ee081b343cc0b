import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { Banner } from '../../components/banner/Banner.tsx';
import { Button, buttonClass } from '../../components/button/Button.tsx';
import { CertificateArea, FileButton } from '../../components/certificate/CertificateArea.tsx';
import { Mount } from '../../components/certificate/Mount.tsx';
import { pastedIn, whyNot } from '../../components/certificate/pem.ts';
import { roleFor } from '../../components/certificate/role-for.ts';
import { summaryOf, verdictsOf } from '../../components/certificate/verdicts.ts';
import { Field } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import { NotAllowed } from '../../components/page-states/PageStates.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Answer, Sides, Verdicts } from '../../components/verdicts/Verdicts.tsx';
import { answerOf } from '../../components/verdicts/verdicts.ts';
import { counted } from '../../format/number.ts';
import { clock } from '../../format/time.ts';
import { useMay } from '../../shell/may.ts';
import { useCertificateMounts } from '../../shell/mounts/mounts.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { Chain } from './Chain.tsx';
import styles from './inspect.module.css';
import * as texts from './texts.ts';

const EXPLAIN = 'POST /auth/{cert_mount_path}/login/explain';
const route = getRouteApi('/signed-in/~access/inspect');

/** Shows which roles would accept a certificate, and why others refuse it. */
export function InspectPage() {
  const { mount = 'cert', role } = route.useSearch();
  const navigate = useNavigate({ from: '/~access/inspect' });
  const mounts = useCertificateMounts();
  const may = useMay([`auth/${mount}/certs/+`]);
  const [pem, setPem] = useState('');
  const [file, setFile] = useState('');
  const path = { cert_mount_path: mount };
  usePlace([{ label: texts.access }, { label: `auth/${mount}` }, { label: texts.certificateInspector }]);
  usePathLine({
    request: access.request(EXPLAIN, { path, body: {} }),
    command: `lockkeeper write auth/${mount}/login/explain certificate=@${file || 'client.pem'}`,
  });
  const explain = useMutation({
    mutationFn: (certificate: string) =>
      access.send(EXPLAIN, { path, body: { ...(certificate && { certificate }), ...(role && { name: role }) } }),
  });
  const why = whyNot(pem);
  const read = async (from: File) => {
    setFile(from.name);
    setPem(await from.text());
  };
  const answer = explain.data?.data;
  return (
    <>
      <PageHead title={texts.certificateInspector} lede={texts.showsWhichRolesWould} />
      <Sides
        about={texts.certificate}
        asked={
          answer ? (
            <>
              <div className={styles.dropped}>
                <Icon name="drop" />
                <p>
                  <strong>{file || texts.pastedText}</strong>{' '}
                  <span className="soft">{counted(answer.certificates.length, texts.certificate2)}</span>
                </p>
                <Button look="small" onClick={() => explain.reset()}>
                  {texts.inspectAnother}
                </Button>
              </div>
              <Chain certificates={answer.certificates} />
            </>
          ) : (
            <Form
              action={texts.inspect}
              busy={explain.isPending}
              off={why}
              fault={explain.error instanceof ApiError && explain.error.isRefusal ? null : explain.error}
              onSubmit={() => explain.mutate(pem)}
              also={<FileButton onFile={(from) => void read(from)} />}
            >
              <CertificateArea
                value={pem}
                onText={(text) => {
                  setPem(text);
                  setFile('');
                }}
                onFile={(from) => void read(from)}
              />
              <Mount
                mount={mount}
                mounts={mounts}
                onMount={(next) => void navigate({ search: (before) => ({ ...before, mount: next }), replace: true })}
              />
              <Field
                label={texts.role}
                help={texts.checksOnlyThisRole}
                value={role ?? ''}
                onText={(next) => void navigate({ search: (before) => ({ ...before, role: next }), replace: true })}
              />
            </Form>
          )
        }
        answer={
          <>
            {explain.error instanceof ApiError && explain.error.isRefusal && (
              <NotAllowed
                what={texts.theVerdicts}
                error={explain.error}
                missing={<code>update on auth/{mount}/login/explain</code>}
              />
            )}
            {answer && (
              <>
                <Answer
                  says={answerOf(answer.roles, answer.roles_left_out)}
                  ways={
                    !answer.admitted &&
                    pastedIn(pem).certificates > 0 && (
                      <>
                        <Link className={buttonClass()} to="/~access/roles" search={{ mount }}>
                          {texts.rolesOfAuth(mount)}
                        </Link>
                        {may(`auth/${mount}/certs/+`, 'create', 'update') && (
                          <Link
                            className={buttonClass()}
                            to="/~access/roles/~new"
                            search={{ mount }}
                            state={{ role: roleFor(pem, answer.certificates[0]?.common_name ?? '') }}
                          >
                            {texts.createARoleFor}
                          </Link>
                        )}
                      </>
                    )
                  }
                >
                  {texts.alias} <code>{answer.alias_name}</code>
                  {texts.evaluatedForALoginAt} <code>auth/{mount}</code>, {clock(new Date().toISOString())}
                </Answer>
                {answer.error !== null && answer.roles.some(({ admitted }) => admitted) && (
                  <Banner is="attention" icon="warn">
                    {texts.aLoginWithoutA(answer.error)}
                  </Banner>
                )}
                {answer.roles.map((one, at) => (
                  <Verdicts
                    key={one.role}
                    name={one.role}
                    isAdmitted={one.admitted}
                    summary={one.groups.length > 0 ? texts.withGroups(summaryOf(one), one.groups) : summaryOf(one)}
                    warnings={one.warnings}
                    {...verdictsOf(one)}
                    isOpen={answer.roles.length <= 3 || (at === 0 && one.admitted)}
                  />
                ))}
              </>
            )}
          </>
        }
      />
    </>
  );
}
