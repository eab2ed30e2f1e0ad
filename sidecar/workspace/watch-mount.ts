/** Which file system a folder lies on, and whether that one tells of changes that others make. */
import { readFile } from 'node:fs/promises'

/** What is changed on another machine, or outside a container or a virtual machine, is told by none of these. */
const silent = new Set([
  ...['nfs', 'nfs4', 'cifs', 'smb3', 'smbfs', 'ncpfs', 'afs', '9p', 'ceph', 'lustre', 'glusterfs', 'beegfs', 'davfs'],
  ...['virtiofs', 'vboxsf', 'prl_fs', 'vmhgfs', 'drvfs', 'fakeowner'],
  ...['sshfs', 'rclone', 's3fs', 'gcsfuse', 'goofys', 'mount-s3', 'blobfuse2', 'davfs2', 'curlftpfs', 'gvfsd-fuse'].map(
    name => `fuse.${name}`,
  ),
  ...['vmhgfs-fuse', 'grpcfuse', 'osxfs', 'glusterfs', 'ceph-fuse', 'juicefs'].map(name => `fuse.${name}`),
])

/** The type of the file system when it is a silent one; null otherwise, and where this cannot be known without trying. */
export async function silentMount(absolute: string, table = '/proc/self/mountinfo'): Promise<string | null> {
  const text = await readFile(table, 'utf8').catch(() => '')
  let found = { point: '', type: '' }
  for (const line of text.split('\n')) {
    // "36 35 98:0 / /mnt/disk rw,noatime shared:1 - ext4 /dev/sda1 rw"; the last mount over a place is the one that counts.
    const point = unescaped(line.split(' ')[4] ?? '')
    const type = line.split(' - ')[1]?.split(' ')[0] ?? ''
    if (point && isWithin(absolute, point) && point.length >= found.point.length) found = { point, type }
  }
  return silent.has(found.type) ? found.type : null
}

const isWithin = (absolute: string, point: string): boolean =>
  absolute === point || absolute.startsWith(point.endsWith('/') ? point : `${point}/`)

const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
