// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

interface IERC20 {
    function balanceOf(address owner) external view returns (uint256);
}

interface IWrapped is IERC20 {
    function deposit() external payable;
}

interface IPair {
    function getReserves() external view returns (uint112, uint112, uint32);
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
    function mint(address to) external returns (uint256);
    function burn(address to) external returns (uint256, uint256);
}

interface IPool {
    function slot0() external view returns (uint160, int24, uint16, uint16, uint16, uint8, bool);
    function swap(address to, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data)
        external
        returns (int256, int256);
    function mint(address owner, int24 lower, int24 upper, uint128 liquidity, bytes calldata data)
        external
        returns (uint256, uint256);
}

/// Periphery of the demo market: swaps in V2 pairs and V3 pools, and liquidity. Amounts are shares of what the
/// caller holds, so that a trader needs to know nothing of the chain to make a valid trade.
/// A venue is a pool's address; bit 160 is set for V3 pools.
contract Router {
    uint256 private constant SHARES = 1_000_000;
    uint256 private constant IS_V3 = 1 << 160;
    uint160 private constant MIN_LIMIT = 4295128740;
    uint160 private constant MAX_LIMIT = 1461446703485210103287273052203988822378723970341;
    int256 private constant UNLIMITED = 1 << 120;
    address private constant WRAPPED = 0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2;

    /// Pool whose callback is awaited; nobody else may make this contract pay.
    address private awaited;

    struct Trade {
        /// Venues; `second` is 0 when there is only one.
        uint256 first;
        uint256 second;
        address tokenIn;
        /// What the first of two venues gives.
        address tokenBetween;
        address tokenOut;
        uint256 share;
        uint256 minOut;
    }

    /// Sells `share` millionths of the caller's `tokenIn`, or the ether sent along.
    function trade(Trade calldata order) external payable {
        address payer = msg.sender;
        uint256 amount = msg.value;
        if (amount > 0) {
            IWrapped(WRAPPED).deposit{value: amount}();
            payer = address(this);
        } else {
            amount = (IERC20(order.tokenIn).balanceOf(payer) * order.share) / SHARES;
        }
        require(amount > 0, "nothing to sell");
        uint256 out;
        if (order.second == 0) {
            out = _swap(order.first, order.tokenIn, order.tokenOut, amount, payer, msg.sender);
        } else {
            _swap(order.first, order.tokenIn, order.tokenBetween, amount, payer, address(this));
            amount = IERC20(order.tokenBetween).balanceOf(address(this));
            out = _swap(order.second, order.tokenBetween, order.tokenOut, amount, address(this), msg.sender);
        }
        require(out >= order.minOut, "slippage");
    }

    /// Trades a V3 pool to a price. Fails when the pool is beyond it already.
    function alignV3(address pool, address tokenIn, address tokenOut, uint160 target) external {
        awaited = pool;
        IPool(pool).swap(msg.sender, tokenIn < tokenOut, UNLIMITED, target, abi.encode(msg.sender, tokenIn, address(0)));
        awaited = address(0);
    }

    /// Trades a V2 pair to a price, given as V3 gives it: sqrt(reserve1 / reserve0) * 2^96.
    function alignV2(address pair, address tokenIn, address tokenOut, uint160 target) external {
        (uint112 reserve0, uint112 reserve1, ) = IPair(pair).getReserves();
        uint256 root = _sqrt(uint256(reserve0) * reserve1);
        bool zeroForOne = tokenIn < tokenOut;
        uint256 wanted = zeroForOne ? (root << 96) / target : (root * target) >> 96;
        uint256 reserve = zeroForOne ? reserve0 : reserve1;
        require(wanted > reserve, "beyond");
        _swap(uint256(uint160(pair)), tokenIn, tokenOut, wanted - reserve, msg.sender, msg.sender);
    }

    function addV2(address pair, address token0, address token1, uint256 amount0, uint256 amount1) external {
        _pay(token0, msg.sender, pair, amount0);
        _pay(token1, msg.sender, pair, amount1);
        IPair(pair).mint(msg.sender);
    }

    function removeV2(address pair, uint256 share) external {
        uint256 liquidity = (IERC20(pair).balanceOf(msg.sender) * share) / SHARES;
        _pay(pair, msg.sender, pair, liquidity);
        IPair(pair).burn(msg.sender);
    }

    function addV3(
        address pool,
        address token0,
        address token1,
        int24 lower,
        int24 upper,
        uint128 liquidity
    ) external {
        awaited = pool;
        IPool(pool).mint(msg.sender, lower, upper, liquidity, abi.encode(msg.sender, token0, token1));
        awaited = address(0);
    }

    /// What a market maker watches: of each venue both reserves (V2: reserve0 << 112 | reserve1) or the price
    /// (V3: sqrtPriceX96), then what each owner holds of each token. A contract that does not answer counts as 0.
    function observe(uint256[] calldata venues, address[] calldata tokens, address[] calldata owners)
        external
        view
        returns (uint256[] memory seen)
    {
        seen = new uint256[](venues.length + tokens.length);
        for (uint256 i = 0; i < venues.length; i++) {
            address pool = address(uint160(venues[i]));
            if (venues[i] & IS_V3 != 0) {
                (uint160 price, , , , , , ) = IPool(pool).slot0();
                seen[i] = price;
            } else {
                (uint112 reserve0, uint112 reserve1, ) = IPair(pool).getReserves();
                seen[i] = (uint256(reserve0) << 112) | reserve1;
            }
        }
        for (uint256 i = 0; i < tokens.length; i++) {
            seen[venues.length + i] = IERC20(tokens[i]).balanceOf(owners[i]);
        }
    }

    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        require(msg.sender == awaited, "not awaited");
        (address payer, address tokenIn, ) = abi.decode(data, (address, address, address));
        _pay(tokenIn, payer, msg.sender, uint256(amount0 > 0 ? amount0 : amount1));
    }

    function uniswapV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata data) external {
        require(msg.sender == awaited, "not awaited");
        (address payer, address token0, address token1) = abi.decode(data, (address, address, address));
        if (amount0 > 0) _pay(token0, payer, msg.sender, amount0);
        if (amount1 > 0) _pay(token1, payer, msg.sender, amount1);
    }

    function _swap(uint256 venue, address tokenIn, address tokenOut, uint256 amount, address payer, address to)
        private
        returns (uint256)
    {
        address pool = address(uint160(venue));
        bool zeroForOne = tokenIn < tokenOut;
        if (venue & IS_V3 == 0) return _swapV2(pool, zeroForOne, tokenIn, amount, payer, to);
        awaited = pool;
        uint160 limit = zeroForOne ? MIN_LIMIT : MAX_LIMIT;
        (int256 amount0, int256 amount1) =
            IPool(pool).swap(to, zeroForOne, int256(amount), limit, abi.encode(payer, tokenIn, address(0)));
        awaited = address(0);
        return uint256(-(zeroForOne ? amount1 : amount0));
    }

    /// The amount in is what arrives at the pair: a token with a transfer tax delivers less than was sent.
    function _swapV2(address pair, bool zeroForOne, address tokenIn, uint256 amount, address payer, address to)
        private
        returns (uint256 out)
    {
        (uint112 reserve0, uint112 reserve1, ) = IPair(pair).getReserves();
        (uint256 reserveIn, uint256 reserveOut) =
            zeroForOne ? (reserve0, reserve1) : (reserve1, reserve0);
        _pay(tokenIn, payer, pair, amount);
        uint256 afterFee = (IERC20(tokenIn).balanceOf(pair) - reserveIn) * 997;
        out = (afterFee * reserveOut) / (reserveIn * 1000 + afterFee);
        IPair(pair).swap(zeroForOne ? 0 : out, zeroForOne ? out : 0, to, "");
    }

    /// Accepts tokens whose transfer returns nothing.
    function _pay(address token, address from, address to, uint256 value) private {
        bytes memory call = from == address(this)
            ? abi.encodeWithSignature("transfer(address,uint256)", to, value)
            : abi.encodeWithSignature("transferFrom(address,address,uint256)", from, to, value);
        (bool success, bytes memory returned) = token.call(call);
        require(success && (returned.length == 0 || abi.decode(returned, (bool))), "payment failed");
    }

    function _sqrt(uint256 x) private pure returns (uint256 y) {
        if (x == 0) return 0;
        y = x;
        uint256 z = x / 2 + 1;
        while (z < y) {
            y = z;
            z = (x / z + z) / 2;
        }
    }
}
