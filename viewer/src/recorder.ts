// The replay as a film: the 3-D view is recorded while it plays from start to end.
import { download, fileName } from './download';
import type { Player } from './player';

const framesPerSecond = 30;
const kinds = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];

/** The kind of film that this browser can write, or undefined. */
export function filmKind(): string | undefined {
  return typeof MediaRecorder === 'undefined'
    ? undefined
    : kinds.find((kind) => MediaRecorder.isTypeSupported(kind));
}

/** Plays once at the chosen speed; the film is saved when it ends or is paused. */
export function recordFilm(
  canvas: HTMLCanvasElement,
  player: Player,
  title: string,
  onProgress: (part: number | null) => void,
): void {
  const stream = canvas.captureStream(framesPerSecond);
  const recorder = new MediaRecorder(stream, {
    mimeType: filmKind(),
    videoBitsPerSecond: 8e6,
  });
  const pieces: Blob[] = [];
  let recording = true;
  recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
  recorder.addEventListener('stop', () => {
    for (const track of stream.getTracks()) track.stop();
    download(fileName(title, 'replay', 'webm'), new Blob(pieces, { type: 'video/webm' }));
    onProgress(null);
  });
  const { loop } = player;
  if (player.playing) player.toggle();
  player.setLoop(false);
  player.seek(player.start);
  player.onChange(() => {
    if (!recording) return;
    onProgress((player.time - player.start) / player.duration);
    if (player.playing) return;
    recording = false;
    player.loop = loop;
    // the last picture is shown for a moment
    setTimeout(() => recorder.stop(), 200);
  });
  recorder.start();
  player.toggle();
}
