// The oracles that forms.def names, by file.

// oracle_int.c
st_oracle st_o_int1, st_o_int2, st_o_mul, st_o_mul24, st_o_sad, st_o_div, st_o_dot, st_o_carry,
    st_o_carry_mixed, st_o_immediate;
// oracle_bits.c
st_oracle st_o_logic, st_o_lop3, st_o_shift, st_o_funnel, st_o_count, st_o_fns, st_o_field, st_o_bmsk,
    st_o_szext, st_o_prmt;
// oracle_set.c
st_oracle st_o_set, st_o_set_not, st_o_set_pair, st_o_set_each, st_o_select, st_o_testp;
// oracle_cvt.c
st_oracle st_o_cvt, st_o_cvt_wide, st_o_cvt_pack;
// oracle_packed.c
st_oracle st_o_video, st_o_video_scalar, st_o_video_lanes, st_o_vmad, st_o_fp8;
// oracle_float.c
st_oracle st_o_float, st_o_minmax, st_o_sign;
// oracle_warp.c
st_group_oracle st_w_vote, st_w_match, st_w_shfl, st_w_redux, st_w_atom, st_w_barrier, st_w_active;
// oracle_mem.c
st_oracle st_o_load, st_o_store, st_o_atom, st_o_atom_pair, st_o_pack, st_o_unpack, st_o_wide, st_o_space;
uint64_t st_atom(const st_form *f, uint64_t old, uint64_t b, uint64_t c); // what an atomic operation leaves
// oracle_whole.c
st_oracle st_o_function;
// oracle_value.c
st_true_value st_v_rcp, st_v_sqrt, st_v_rsqrt, st_v_div, st_v_trig, st_v_lg2, st_v_ex2, st_v_tanh,
    st_v_function;
