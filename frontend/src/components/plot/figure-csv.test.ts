import { describe, expect, it } from 'vitest';
import { figureCsv } from './figure-csv';

describe('a figure as comma-separated values', () => {
  it('has a line for each mark, with its interval', () => {
    const data = [
      { name: 'rows, shared', x: ['1', '1.1'], y: [10, 20.5], error_y: { array: [1, 2], arrayminus: [0.5, 0.25] } },
      { name: 'nonzeros', x: ['1'], y: [12] },
      { name: 'STREAM', x: [null], y: [null] },
    ];
    expect(figureCsv({ data, layout: {} })).toBe(
      'series,x,y,above,below\r\n"rows, shared",1,10,1,0.5\r\n"rows, shared",1.1,20.5,2,0.25\r\nnonzeros,1,12,,\r\n',
    );
  });
  it('takes the names that stand at the ticks', () => {
    const layout = { yaxis: { tickvals: [0, 1], ticktext: ['Heddle<br>3 GB/s', 'SciPy'] } };
    expect(figureCsv({ data: [{ name: 'a', x: [3, 2], y: [0, 1] }], layout })).toBe(
      'series,x,y\r\na,3,Heddle\r\na,2,SciPy\r\n',
    );
  });
  it('names the cells of a heat map by their row, with the number in them', () => {
    const layout = { yaxis: { tickvals: [0.5, 1.5], ticktext: ['32 columns', '128 columns'] } };
    const data = [{ name: 'a', x: ['none', '2'], y: [1, 1], base: [1, 1], text: ['1.00', '0.49'] }];
    expect(figureCsv({ data, layout })).toBe('series,x,y,text\r\na,none,128 columns,1.00\r\na,2,128 columns,0.49\r\n');
  });
  it('holds no formulas, and leaves negative numbers as they are', () => {
    const csv = figureCsv({ data: [{ name: '=1+1', x: [-2, '-x'], y: [-1e-7, 0] }], layout: {} });
    expect(csv).toBe("series,x,y\r\n'=1+1,-2,-1e-7\r\n'=1+1,'-x,0\r\n");
  });
});
