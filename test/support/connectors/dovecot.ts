import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../free-port.js';

const program = '/usr/sbin/dovecot';

/** Why there is none here, for a notice; undefined where there is one. */
export function dovecotProblem(): string | undefined {
  if (!existsSync(program)) return 'dovecot is not installed (apt-get install dovecot-imapd)';
  return process.getuid?.() === 0 ? undefined : 'dovecot can only be started by root';
}

export interface Dovecot {
  readonly port: number;
  /** Where TLS is begun at once, with a certificate that nobody trusts. */
  readonly tlsPort: number;
  /** The log until now. */
  log(): string;
  /** Ends it without a farewell, and everybody's connections. */
  kill(): Promise<void>;
}

/** A mail server of its own, in a folder of its own: any user with the password `pw`. Undefined when it is not installed. */
export async function startDovecot(): Promise<Dovecot | undefined> {
  if (dovecotProblem() !== undefined) return undefined;
  // Not in the folder of the tests, which its users may not enter; sockets need a short path.
  const folder = mkdtempSync(join(tmpdir(), 'dove-'));
  chmodSync(folder, 0o711);
  mkdirSync(join(folder, 'mail'));
  chmodSync(join(folder, 'mail'), 0o1777);
  const [port, tlsPort] = [await freePort(), await freePort()];
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', join(folder, 'key.pem')];
  const certificate = ['-subj', '/CN=localhost', '-days', '1', '-out', join(folder, 'certificate.pem')];
  execFileSync('openssl', ['req', '-x509', ...key, ...certificate], { stdio: 'ignore' });
  const configuration = join(folder, 'dovecot.conf');
  writeFileSync(configuration, configurationIn(folder, port, tlsPort));
  const child = spawn(program, ['-F', '-c', configuration], { stdio: ['ignore', 'ignore', 'pipe'] });
  const lines: string[] = [];
  const started = new Promise<void>((resolve, reject) => {
    createInterface(child.stderr).on('line', (line) => {
      lines.push(line);
      if (line.includes('starting up')) resolve();
    });
    child.once('exit', () => reject(new Error(`dovecot has ended: ${lines.join('\n')}`)));
  });
  await started;
  return {
    port,
    tlsPort,
    log: () => lines.join('\n'),
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configurationIn(folder: string, port: number, tlsPort: number): string {
  return `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = /dev/stderr
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <${folder}/certificate.pem
ssl_key = <${folder}/key.pem
disable_plaintext_auth = no
auth_failure_delay = 0
auth_verbose = yes
auth_verbose_passwords = no
default_internal_user = dovecot
default_login_user = dovenull
mail_location = mdbox:${folder}/mail/%u
mail_uid = mail
mail_gid = mail
first_valid_uid = 1
first_valid_gid = 1
namespace inbox {
  inbox = yes
  separator = /
  mailbox Sent {
    auto = create
    special_use = \\Sent
  }
}
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${tlsPort}
  }
}
passdb {
  driver = static
  args = password=pw
}
userdb {
  driver = static
  args = uid=mail gid=mail home=${folder}/mail/%u
}
`;
}
