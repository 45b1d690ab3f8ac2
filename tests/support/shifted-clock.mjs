// Loaded before a process of ours (node --import): its clock is off by CLOCK_SHIFT_MS, and SIGUSR2 sets it
// right or wrong again, as an operator or NTP may set a machine's clock under a running process.
const shiftMs = Number(process.env.CLOCK_SHIFT_MS);
const RealDate = Date;
let shifted = true;
process.on('SIGUSR2', () => {
  shifted = !shifted;
});

globalThis.Date = class ShiftedDate extends RealDate {
  static now() {
    return RealDate.now() + (shifted ? shiftMs : 0);
  }

  constructor(...args) {
    if (args.length === 0) super(ShiftedDate.now());
    else super(...args);
  }
};
